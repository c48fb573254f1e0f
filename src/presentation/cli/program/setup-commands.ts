import { Argument, type Command, Option } from 'commander';
import { HOOK_CLIENTS, MCP_CLIENTS } from '../../../domain/client/mcp-client.js';
import type { InstallOptions } from '../install/install-options.js';
import type { TrustOptions } from '../trust-command.js';
import type { Building } from './building.js';
import type { InitProfileName, JsonOption } from './command-actions.js';
import { parseServerName } from './option-values.js';

/** Commands that prepare a project, a client or the machine. */
export function addSetup(building: Building): void {
  addProject(building);
  addClients(building);
  addHook(building);
}

function addClients({ program, actions, run, where }: Building): void {
  const options = (command: Command) =>
    command
      .addArgument(new Argument('<client>').choices(MCP_CLIENTS))
      .addOption(
        new Option('--scope <where>', "use the project's settings file, or the user's").choices([
          'project',
          'user',
        ]),
      )
      .option('--name <server>', "the server's name in the client", parseServerName, 'castellan')
      .option('-y, --yes', 'write without asking')
      .option('--follow-link', 'with --yes: also write through a symbolic link to another file');
  options(program.command('install'))
    .description("add this server to an MCP client's settings, after showing the change")
    .option('--print', 'only print the entry')
    .option('--exclusive', "switch the client's own file and shell tools off")
    .option('--hooks', 'have the client ask the policy before it uses its own tools')
    .action(run((client: string, given: InstallOptions) => actions.install(where(), client, given)));
  options(program.command('uninstall'))
    .description("remove this server from an MCP client's settings, after showing the change")
    .action(run((client: string, given: InstallOptions) => actions.uninstall(where(), client, given)));
}

function addHook({ program, actions, run, where }: Building): void {
  program
    .command('hook')
    .description('run by clients as a hook before they use their own tools')
    .addArgument(new Argument('<client>').choices(HOOK_CLIENTS))
    .action(run((client: string) => actions.hook(where(), client)));
}

function addProject({ program, actions, run, where }: Building): void {
  program
    .command('init')
    .description('write commented permissions.yaml and castellan.yaml here, and trust them')
    .addOption(
      new Option('--profile <name>', 'the profile to start from')
        .choices(['readonly', 'workspace'])
        .default('workspace'),
    )
    .option('--force', 'overwrite what is there')
    .action(run((options: { profile: InitProfileName; force?: boolean }) => actions.init(where(), options)));
  program
    .command('trust')
    .description('trust the current content of a policy or settings file in the workspace')
    .argument('[file]', 'the file (default: all configuration files of the workspace)')
    .addOption(
      new Option('--list', 'list trusted files, and whether they changed').conflicts(['diff', 'revoke']),
    )
    .addOption(new Option('--diff', 'only show the change since it was trusted').conflicts('revoke'))
    .option('--revoke', 'revoke the trust')
    .action(run((file: string | undefined, options: TrustOptions) => actions.trust(where(), file, options)));
  program
    .command('doctor')
    .description('check what works on this machine and what is missing')
    .option('--json', 'as JSON')
    .action(run((options: JsonOption) => actions.doctor(where(), options)));
}
