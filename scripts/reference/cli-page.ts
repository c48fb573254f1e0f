import type { Command } from 'commander';
import { EXIT_CODES } from '../../src/presentation/cli/program/exit-codes.js';
import { code, pageOf, table } from './markdown.js';

const OUTPUT =
  'On a terminal, results and logs are text for people, with colour unless `NO_COLOR` is set. In a pipe, logs are JSON lines on standard error (`CASTELLAN_LOG_FORMAT=text|json` decides otherwise) and `castellan call` prints the envelope of a structured result; text and the output of a command come out byte for byte. Completion: `source <(castellan completion bash)` in `.bashrc`, the same with `zsh` in `.zshrc`, `castellan completion fish | source` in fish.';

/** A page with a section per command, as the program itself describes them. */
export function cliPage(program: Command): string {
  const sections = leavesOf(program).map((command) => sectionOf(command));
  return pageOf('Command line', 'Every command of `castellan`, with its options and exit codes.', [
    '## Options of every command',
    optionTable(program),
    ...sections,
    '## Output',
    OUTPUT,
    '## Exit codes',
    table(
      ['code', 'meaning'],
      EXIT_CODES.map(([number, meaning]) => [String(number), meaning]),
    ),
  ]);
}

/** Commands that do something; a group such as `policy` only holds others. */
function leavesOf(command: Command): readonly Command[] {
  return visibleBelow(command).flatMap((one) => (visibleBelow(one).length > 0 ? leavesOf(one) : [one]));
}

function visibleBelow(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands(command);
}

function sectionOf(command: Command): string {
  const help = command.createHelp();
  const values = help
    .visibleArguments(command)
    .map((one) => [code(one.name()), help.argumentDescription(one)]);
  return [
    `## ${nameOf(command)}`,
    `\`\`\`\n${help.commandUsage(command)}\n\`\`\``,
    sentence(command.description()),
    ...(values.length === 0 ? [] : [table(['argument', 'meaning'], values)]),
    ...(help.visibleOptions(command).some(({ long }) => long !== '--help') ? [optionTable(command)] : []),
  ].join('\n\n');
}

function optionTable(command: Command): string {
  const help = command.createHelp();
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  return table(
    ['option', 'meaning'],
    options.map((one) => [code(help.optionTerm(one)), help.optionDescription(one)]),
  );
}

function nameOf(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null ? command.name() : `${nameOf(parent)} ${command.name()}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
