import { Argument, type Command } from 'commander';
import type { Building } from './building.js';
import { SHELLS } from './completion-scripts.js';

/** The shells call this command to complete the end of a line, so that nothing is listed twice. */
const ASK = '__complete';

export function addCompletion({ program, actions, run }: Building): void {
  program
    .command('completion')
    .description('print the script that completes this command in a shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action(run((shell: string) => actions.completion(shell)));
  program
    .command(ASK, { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(
      run(async (words: readonly string[]) => {
        const found = await candidates(program, words, () => actions.toolNames());
        if (found.length > 0) process.stdout.write(`${found.join('\n')}\n`);
        return 0;
      }),
    );
}

/** Completions for the last word; none if a file is expected, which the shell completes itself. */
export async function candidates(
  program: Command,
  words: readonly string[],
  toolNames: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const begun = words.at(-1) ?? '';
  const { command, given, pending } = follow(program, words.slice(0, -1));
  const all = pending ?? (await possible(command, given, begun, toolNames));
  return all.filter((word) => word.startsWith(begun));
}

interface Place {
  readonly command: Command;
  /** The number of arguments of the command before the last word. */
  readonly given: number;
  /** The values of the option directly before the last word. */
  readonly pending: readonly string[] | undefined;
}

function follow(program: Command, words: readonly string[]): Place {
  let command = program;
  let given = 0;
  let pending: readonly string[] | undefined;
  for (const word of words) {
    const isValue = pending !== undefined;
    pending = undefined;
    if (isValue) continue;
    if (word.startsWith('-')) {
      const option = [...command.options, ...program.options].find(
        ({ short, long }) => word === short || word === long,
      );
      if (option?.required) pending = option.argChoices ?? [];
      continue;
    }
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) given += 1;
    else [command, given] = [next, 0];
  }
  return { command, given, pending };
}

async function possible(
  command: Command,
  given: number,
  begun: string,
  toolNames: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  if (begun.startsWith('-')) return optionsOf(command);
  const commands = command.createHelp().visibleCommands(command);
  if (commands.length > 0) return commands.map((one) => one.name());
  const argument = command.registeredArguments[given];
  if (argument?.name() === 'tool') return toolNames();
  return argument?.argChoices ?? [];
}

function optionsOf(command: Command): readonly string[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)].flatMap(
    ({ long }) => long ?? [],
  );
}
