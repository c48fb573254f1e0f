import type { RulePosition } from '../policy/rule-position.js';
import { type ConsentWay, commonWays } from './consent-way.js';

/** `deny` refuses instead of asking, for servers without a person. */
export type ConsentMode = 'never' | 'ask' | 'always' | 'explicit' | 'deny';

/** The modes in which a person is asked, mildest first. */
export const ASKING_MODES = ['ask', 'always', 'explicit'] as const satisfies readonly ConsentMode[];

export type AskingMode = (typeof ASKING_MODES)[number];

/** What a person is asked before a call runs, and how long the answer is valid. */
export interface ConsentTerms {
  readonly mode: ConsentMode;
  /** Typed by the person for `explicit`; `${name}` is replaced by the argument of that name. */
  readonly phrase?: string;
  readonly rememberMs?: number;
  readonly expiresMs?: number;
  /** The only ways in which the question may be asked (default: those of the settings). */
  readonly via?: readonly ConsentWay[];
  readonly at?: RulePosition;
  /** The tool whose entry requires the consent, if it is another one. */
  readonly askedBy?: string;
}

export const CONSENT_MODES = ['never', ...ASKING_MODES, 'deny'] as const satisfies readonly ConsentMode[];

const strictnessOf = (mode: ConsentMode): number => CONSENT_MODES.indexOf(mode);

/** Combines two terms: the stricter mode, the shorter times, any phrase, and the ways that both have. */
export function stricterConsent(first: ConsentTerms, second: ConsentTerms): ConsentTerms {
  const via = first.via === undefined ? second.via : commonWays(first.via, second.via);
  if (first.mode !== second.mode) {
    const stricter = strictnessOf(first.mode) > strictnessOf(second.mode) ? first : second;
    return via === undefined ? stricter : { ...stricter, via };
  }
  const phrase = strictestPhrase(first.phrase, second.phrase);
  const remember = shortestMemory(first, second);
  const expires = smallest(first.expiresMs, second.expiresMs);
  const at = first.at ?? second.at;
  return {
    mode: first.mode,
    ...(phrase !== undefined && { phrase }),
    ...(remember !== undefined && { rememberMs: remember }),
    ...(expires !== undefined && { expiresMs: expires }),
    ...(via !== undefined && { via }),
    ...(at && { at }),
  };
}

/** The longer phrase, then alphabetical order: the result must not depend on which file was read first. */
function strictestPhrase(first: string | undefined, second: string | undefined): string | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  if (first.length !== second.length) return first.length > second.length ? first : second;
  return first < second ? first : second;
}

/** Terms without memory ask every time, so one of them is enough to disable it. */
function shortestMemory(first: ConsentTerms, second: ConsentTerms): number | undefined {
  if (first.rememberMs === undefined || second.rememberMs === undefined) return undefined;
  return Math.min(first.rememberMs, second.rememberMs);
}

export function smallest(first: number | undefined, second: number | undefined): number | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return Math.min(first, second);
}

const PLACEHOLDER = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The phrase for this call. A missing argument stays visible as its placeholder. */
export function phraseFor(template: string, args: Readonly<Record<string, unknown>>): string {
  return template.replace(PLACEHOLDER, (placeholder, name: string) => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : placeholder;
  });
}
