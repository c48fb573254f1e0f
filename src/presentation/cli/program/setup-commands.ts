import { Option } from 'commander';
import type { Building } from './building.js';
import type { InitProfileName, JsonOption } from './command-actions.js';

/** Commands that prepare a project, a client or the machine. */
export function addSetup({ program, actions, run, where }: Building): void {
  program
    .command('init')
    .description('write permissions.yaml and castellan.yaml here, commented, and trust them')
    .addOption(
      new Option('--profile <name>', 'what the policy begins with')
        .choices(['readonly', 'workspace'])
        .default('workspace'),
    )
    .option('--force', 'overwrite what is there')
    .action(run((options: { profile: InitProfileName; force?: boolean }) => actions.init(where(), options)));
  program
    .command('trust')
    .description('accept a policy or settings file that was found in the workspace, by its hash')
    .argument('[file]', 'the file; every configuration file of the workspace where absent')
    .action(run((file: string | undefined) => actions.trust(where(), file)));
  program
    .command('doctor')
    .description('what works on this machine, what does not, what to install')
    .option('--json', 'as JSON')
    .action(run((options: JsonOption) => actions.doctor(where(), options)));
}
