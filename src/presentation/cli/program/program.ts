import { isatty } from 'node:tty';
import { Command } from 'commander';
import { nearestNames } from '../../../domain/nearest-names.js';
import type { Building, Run } from './building.js';
import type { CommandActions, GlobalOptions } from './command-actions.js';
import { addCompletion } from './completion.js';
import { EXIT_CODES } from './exit-codes.js';
import { parseSets } from './option-values.js';
import { addReview } from './review-commands.js';
import { addServing } from './serving-commands.js';
import { addSetup } from './setup-commands.js';

const AFTER_HELP = `
Without a command: serves over stdio; on a terminal, shows how to connect a client.

Exit codes: ${EXIT_CODES.map(([code, meaning]) => `${code} ${meaning}`).join('; ')}.`;

const WHERE_HELP_IS = '`castellan help` lists the commands, `castellan help COMMAND` the options of one.';

/** Builds the command line. Passes the exit code to `done`. */
export function buildProgram(
  version: string,
  actions: CommandActions,
  done: (code: number) => void,
): Command {
  const program = new Command('castellan')
    .description('An MCP server that gives AI agents tools under a permission policy that a person can read.')
    .version(version)
    .option(
      '--workspace <folder>',
      'project directory; relative paths are resolved against it (CASTELLAN_WORKSPACE)',
    )
    .option(
      '--policy <file>',
      'the permission policy; a file named here is always trusted (CASTELLAN_POLICY)',
    )
    .option('--config <file>', 'the settings, a castellan.yaml (CASTELLAN_CONFIG)')
    .option(
      '--ceiling <file>',
      'a policy that must also allow a call; it can only restrict (CASTELLAN_CEILING)',
    )
    .option('--toolsets <sets>', 'the toolsets to list, or all (CASTELLAN_TOOLSETS)', parseSets)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: (text, write) => write(onOneLine(text)) })
    .helpCommand(false)
    .addHelpText('after', AFTER_HELP)
    .showHelpAfterError(WHERE_HELP_IS)
    .exitOverride();
  const run: Run =
    (action) =>
    async (...args) =>
      done(await action(...args));
  const building: Building = { program, actions, run, where: () => program.opts<GlobalOptions>() };
  program.action(
    run(async () => {
      const [word] = program.args;
      if (word !== undefined) refuseCommand(program, word, program);
      return isatty(0) ? actions.connect() : actions.serve(building.where());
    }),
  );
  addServing(building);
  addSetup(building);
  addReview(building);
  addCompletion(building);
  addHelp(building);
  for (const group of program.commands.filter(({ commands }) => commands.length > 0)) {
    group.on('command:*', ([word]: readonly [string]) => refuseCommand(program, word, group));
  }
  // Set last, because commands inherit it: an unknown word reaches the action above, which reports it.
  return program.allowExcessArguments();
}

/** Commander prints its suggestion on a line of its own. */
function onOneLine(text: string): string {
  return text.replace(/\n\((Did you mean [^)]*)\)/, '. $1');
}

function addHelp({ program, run }: Building): void {
  program
    .command('help')
    .description('the help of a command, such as policy check')
    .argument('[command...]')
    .action(
      run(async (words: readonly string[]) => {
        let command = program;
        for (const word of words) {
          const found = command.commands.find((one) => one.name() === word);
          command = found ?? refuseCommand(program, word, command);
        }
        command.outputHelp();
        return 0;
      }),
    );
}

function refuseCommand(program: Command, word: string, parent: Command): never {
  const names = parent
    .createHelp()
    .visibleCommands(parent)
    .map((command) => command.name());
  const [nearest] = nearestNames(word, names);
  const guess = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  const group = parent === program ? '' : ` of ${parent.name()}`;
  // A group has only a few.
  const list =
    nearest === undefined || parent !== program ? ` The commands${group}: ${names.join(', ')}.` : '';
  return program.error(`error: unknown command '${word}'.${guess}${list}`, {
    code: 'commander.unknownCommand',
  });
}
