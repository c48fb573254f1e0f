import type { ConsentTerms } from '../../../domain/permission/consent/consent.js';
import { setOf } from '../../config/distinct-list-shape.js';
import {
  byKind,
  described,
  flag,
  listOf,
  mapped,
  type Reading,
  record,
  type Shape,
  text,
} from '../../config/yaml-shape.js';
import { duration } from '../../config/yaml-units.js';
import { consent } from './consent-shape.js';
import type { CommandEntry, Named } from './policy-document.js';
import { type Notes, named, notes, withMemory, withNotes } from './rule-shapes.js';
import { limits, network } from './settings-shapes.js';

type Tokens = readonly (readonly string[])[];

const token: Shape<readonly string[]> = byKind('a word or a list of alternatives', {
  scalar: mapped(text, (word) => [word]),
  list: listOf(text),
});

const SHELL_CHARACTERS = /["'`$;&|<>(){}\\]/;
/** `*` alone is any word; `[` alone is a program. */
const WILDCARD = /^(?!\*$|\[$).*[*?[\]]/s;

const commandWords: Shape<Tokens> = byKind('a command such as ls, "git status" or [git, [status, log]]', {
  scalar: mapped(text, (words, at, reading) => {
    if (SHELL_CHARACTERS.test(words)) {
      const hint = 'A rule names a program and the words after it; write [program, word, …].';
      return reading.report(at, `A command rule has no shell syntax, got ${JSON.stringify(words)}.`, hint);
    }
    const tokens = words
      .trim()
      .split(/\s+/)
      .map((word) => [word]);
    return checkedWords(tokens, at, reading);
  }),
  list: mapped(listOf(token), (tokens, at, reading) =>
    tokens.length === 0 || tokens.some((words) => words.length === 0)
      ? reading.report(at, 'A command rule needs a program; an empty list matches nothing.')
      : checkedWords(tokens, at, reading),
  ),
});

type Report = Pick<Reading, 'report'>;

/** A word that no command line can hold as it stands would make a rule without effect. */
function checkedWords(
  tokens: Tokens,
  at: Parameters<Reading['report']>[0],
  reading: Report,
): Tokens | undefined {
  for (const [index, words] of tokens.entries()) {
    for (const word of words) {
      const problem = index === 0 ? problemOfProgram(word) : problemOfWord(word);
      if (problem === undefined) continue;
      return reading.report(
        at,
        `This rule can never match: ${JSON.stringify(word)} ${problem}.`,
        `Write { command: ${formOf(tokens)} }: words are compared whole, and any words may follow.`,
      );
    }
  }
  return tokens;
}

function problemOfProgram(word: string): string | undefined {
  if (/\s/.test(word.trim())) return 'has blanks, and no program has';
  if (/(^|\/)\.{0,2}$/.test(word)) return 'is a folder, not a program';
  if (word.startsWith('-')) return 'is an option, not a program';
  return problemOfWord(word);
}

function problemOfWord(word: string): string | undefined {
  return WILDCARD.test(word) ? 'has a wildcard, and rules have none but the word "*"' : undefined;
}

/** The rule as its author probably meant it. */
function formOf(tokens: Tokens): string {
  const words = tokens.map((alternatives) =>
    alternatives
      .flatMap((word) => word.trim().split(/\s+/))
      .map((word) => word.replace(/[*?[\]]/g, '').replace(/\/+$/, '')),
  );
  const kept = words.flatMap((alternatives, index) => {
    const some = alternatives.filter((word) => word !== '');
    if (some.length === 0) return [];
    return index > 0 && some.length > 1 ? [`[${some.join(', ')}]`] : [some.join(', ')];
  });
  return `[${kept.length === 0 ? '"*"' : kept.join(', ')}]`;
}

const flagWords: Shape<readonly string[]> = described(
  'Only calls that are given one of these flags, wherever it stands: [--force, -f].',
  mapped(listOf(text), (flags, at, reading) => {
    const wrong = flags.find((word) => /^-*$|\s/.test(word) || WILDCARD.test(word));
    if (flags.length > 0 && wrong === undefined) return flags;
    const said = wrong === undefined ? 'an empty list' : JSON.stringify(wrong);
    return reading.report(at, `any needs flags, got ${said}.`, 'Write any: [--force, -f].');
  }),
);

interface CommandFields extends Notes {
  command?: Tokens;
  except?: readonly Tokens[];
  any?: readonly string[];
  consent?: ConsentTerms;
  remember?: number;
  network?: CommandEntry['network'] & {};
  sandbox?: Named;
  limits?: CommandEntry['limits'] & {};
  timeout?: number;
  interpreter?: boolean;
}

const bareCommand: Shape<CommandEntry> = mapped(commandWords, (command, at, reading) => ({
  command,
  at: reading.position(at),
}));

export const allowedCommandRule: Shape<CommandEntry> = mapped(
  record<Omit<CommandFields, 'except'>>(
    'a command rule',
    {
      command: commandWords,
      any: flagWords,
      consent,
      remember: duration,
      network,
      sandbox: named,
      limits,
      timeout: duration,
      interpreter: described('This program may run any code it is given.', flag),
      ...notes,
    },
    ['command'],
  ),
  ({ command, any, network: reach, sandbox, limits: own, timeout, interpreter, ...rest }, at, reading) =>
    command && {
      command,
      ...(any && { any }),
      ...(reach && { network: reach }),
      ...(sandbox && { sandbox }),
      ...((own || timeout !== undefined) && {
        limits: { ...own, ...(timeout !== undefined && { timeoutMs: timeout }) },
      }),
      ...(interpreter !== undefined && { interpreter }),
      ...withMemory(rest.consent, rest.remember, at, reading),
      ...withNotes(rest, reading.position(at)),
    },
);

export const allowedCommand: Shape<CommandEntry> = byKind('a program or { command: […], … }', {
  scalar: bareCommand,
  map: allowedCommandRule,
});

export const deniedCommand: Shape<CommandEntry> = byKind('a program or { command: […], except }', {
  scalar: bareCommand,
  map: mapped(
    record<Pick<CommandFields, 'command' | 'except' | 'any' | keyof Notes>>(
      'a command rule',
      { command: commandWords, except: setOf(commandWords), any: flagWords, ...notes },
      ['command'],
    ),
    ({ command, except, any, ...rest }, at, reading) =>
      command && {
        command,
        ...(except && { except }),
        ...(any && { any }),
        ...withNotes(rest, reading.position(at)),
      },
  ),
});
