import type { ConsentTerms } from '../../../domain/permission/consent/consent.js';
import { setOf } from '../../config/distinct-list-shape.js';
import {
  byKind,
  described,
  mapped,
  type Reading,
  record,
  type Shape,
  text,
} from '../../config/yaml-shape.js';
import type { TreePosition } from '../../config/yaml-tree.js';
import { duration } from '../../config/yaml-units.js';
import { consent, forgetful } from './consent-shape.js';
import { pathGlob } from './path-glob-shape.js';
import type { Named, PathEntry } from './policy-document.js';

export const named: Shape<Named> = mapped(text, (name, at, reading) => ({ name, at: reading.position(at) }));

export interface Notes {
  id?: string;
  why?: string;
  match?: readonly Named[];
  not_match?: readonly Named[];
}

export const notes = {
  id: described('A name for this rule; explanations show it.', text),
  why: described('The reason, for whoever reads an explanation.', text),
  match: described('Examples this rule must match; proved when the file loads.', setOf(named)),
  not_match: described('Examples this rule must not match.', setOf(named)),
};

export function withNotes<T extends Notes>({ id, why, match, not_match }: T, at: PathEntry['at']) {
  return {
    ...(match && { match }),
    ...(not_match && { not_match }),
    at: { ...at, ...(id !== undefined && { id }), ...(why !== undefined && { why }) },
  };
}

export function withMemory(
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

export const allowedPathRule: Shape<PathEntry> = mapped(
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
);

export const allowedPath: Shape<PathEntry> = byKind('a path or { path, … }', {
  scalar: barePath,
  map: allowedPathRule,
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
