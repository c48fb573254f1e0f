import type { ConsentTerms } from '../../domain/permission/consent.js';
import { setOf } from '../config/distinct-list-shape.js';
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
} from '../config/yaml-shape.js';
import type { TreePosition } from '../config/yaml-tree.js';
import { duration } from '../config/yaml-units.js';
import { consent, forgetful } from './consent-shape.js';
import { pathGlob } from './path-glob-shape.js';
import type { CommandEntry, Named, PathEntry } from './policy-document.js';
import { limits, network } from './settings-shapes.js';

export const named: Shape<Named> = mapped(text, (name, at, reading) => ({ name, at: reading.position(at) }));

interface Notes {
  id?: string;
  why?: string;
  match?: readonly Named[];
  not_match?: readonly Named[];
}

const notes = {
  id: described('A name for this rule; explanations show it.', text),
  why: described('The reason, for whoever reads an explanation.', text),
  match: described('Examples this rule must match; proved when the file loads.', setOf(named)),
  not_match: described('Examples this rule must not match.', setOf(named)),
};

function withNotes<T extends Notes>({ id, why, match, not_match }: T, at: PathEntry['at']) {
  return {
    ...(match && { match }),
    ...(not_match && { not_match }),
    at: { ...at, ...(id !== undefined && { id }), ...(why !== undefined && { why }) },
  };
}

function withMemory(
  terms: ConsentTerms | undefined,
  remember: number | undefined,
  at: TreePosition,
  reading: Reading,
): { consent?: ConsentTerms } {
  if (remember !== undefined && terms?.mode !== 'ask')
    reading.report(at, ...forgetful(terms?.mode ?? 'never'));
  if (terms === undefined) return {};
  return { consent: remember === undefined ? terms : { ...terms, rememberMs: remember } };
}

const barePath: Shape<PathEntry> = mapped(pathGlob, (path, at, reading) => ({
  path,
  at: reading.position(at),
}));

interface AllowedPathFields extends Notes {
  path?: string;
  consent?: ConsentTerms;
  remember?: number;
}

export const allowedPath: Shape<PathEntry> = byKind('a path or { path, … }', {
  scalar: barePath,
  map: mapped(
    record<AllowedPathFields>('a path rule', { path: pathGlob, consent, remember: duration, ...notes }, [
      'path',
    ]),
    (fields, at, reading) =>
      fields.path === undefined
        ? undefined
        : {
            path: fields.path,
            ...withMemory(fields.consent, fields.remember, at, reading),
            ...withNotes(fields, reading.position(at)),
          },
  ),
});

interface DeniedPathFields extends Notes {
  path?: string;
  except?: readonly string[];
}

export const deniedPath: Shape<PathEntry> = byKind('a path or { path, except }', {
  scalar: barePath,
  map: mapped(
    record<DeniedPathFields>('a path rule', { path: pathGlob, except: setOf(pathGlob), ...notes }, ['path']),
    ({ path, except, ...rest }, at, reading) =>
      path === undefined
        ? undefined
        : { path, ...(except && { except }), ...withNotes(rest, reading.position(at)) },
  ),
});

type Tokens = readonly (readonly string[])[];

const token: Shape<readonly string[]> = byKind('a word or a list of alternatives', {
  scalar: mapped(text, (word) => [word]),
  list: listOf(text),
});

const SHELL_CHARACTERS = /["'`$;&|<>(){}\\]/;

const commandWords: Shape<Tokens> = byKind('a command such as ls, "git status" or [git, [status, log]]', {
  scalar: mapped(text, (words, at, reading) => {
    if (SHELL_CHARACTERS.test(words)) {
      const hint = 'A rule names a program and the words after it; write [program, word, …].';
      return reading.report(at, `A command rule has no shell syntax, got ${JSON.stringify(words)}.`, hint);
    }
    return words
      .trim()
      .split(/\s+/)
      .map((word) => [word]);
  }),
  list: mapped(listOf(token), (tokens, at, reading) =>
    tokens.length === 0 || tokens.some((words) => words.length === 0)
      ? reading.report(at, 'A command rule needs a program; an empty list matches nothing.')
      : tokens,
  ),
});

interface CommandFields extends Notes {
  command?: Tokens;
  except?: readonly Tokens[];
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

export const allowedCommand: Shape<CommandEntry> = byKind('a program or { command: […], … }', {
  scalar: bareCommand,
  map: mapped(
    record<Omit<CommandFields, 'except'>>(
      'a command rule',
      {
        command: commandWords,
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
    ({ command, network: reach, sandbox, limits: own, timeout, interpreter, ...rest }, at, reading) =>
      command && {
        command,
        ...(reach && { network: reach }),
        ...(sandbox && { sandbox }),
        ...((own || timeout !== undefined) && {
          limits: { ...own, ...(timeout !== undefined && { timeoutMs: timeout }) },
        }),
        ...(interpreter !== undefined && { interpreter }),
        ...withMemory(rest.consent, rest.remember, at, reading),
        ...withNotes(rest, reading.position(at)),
      },
  ),
});

export const deniedCommand: Shape<CommandEntry> = byKind('a program or { command: […], except }', {
  scalar: bareCommand,
  map: mapped(
    record<Pick<CommandFields, 'command' | 'except' | keyof Notes>>(
      'a command rule',
      { command: commandWords, except: setOf(commandWords), ...notes },
      ['command'],
    ),
    ({ command, except, ...rest }, at, reading) =>
      command && { command, ...(except && { except }), ...withNotes(rest, reading.position(at)) },
  ),
});
