import { isJsonObject } from '../json-value.js';
import type { TokenRule } from '../permission/policy/obligations.js';

/** Tokens that a caller used or may still use: a running call is booked with its maximum. */
export interface Spending {
  readonly at: number;
  readonly caller: string;
  readonly tokens: number;
  /** The id of the call while it is running. */
  readonly open?: string;
}

/** Checks the shape of a value from outside. */
export function isSpending(value: unknown): value is Spending {
  return (
    isJsonObject(value) &&
    Number.isFinite(value.at) &&
    Number.isFinite(value.tokens) &&
    typeof value.caller === 'string' &&
    (value.open === undefined || typeof value.open === 'string')
  );
}

export interface Shortfall {
  readonly rule: TokenRule;
  readonly used: number;
  /** Time until enough earlier use has expired; undefined if the call alone exceeds the limit. */
  readonly retryAfterMs: number | undefined;
}

const CHARACTERS_PER_TOKEN = 4;
const MINUTE_MS = 60_000;
/** The longest window a rule can name. */
const DAY_MS = 86_400_000;

/** For texts whose tokens are not reported. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** The first rule that has no room for that many more tokens. */
export function findShortfall(
  spent: readonly Spending[],
  rules: readonly TokenRule[],
  wanted: Pick<Spending, 'at' | 'caller' | 'tokens'>,
): Shortfall | undefined {
  for (const rule of rules) {
    const counted = spent
      .filter(({ at, caller }) => {
        const mine = rule.per === 'instance' || caller === wanted.caller;
        return mine && wanted.at - at < rule.windowMs;
      })
      .sort((first, second) => first.at - second.at);
    const used = counted.reduce((sum, { tokens }) => sum + tokens, 0);
    if (used + wanted.tokens > rule.limit) {
      return { rule, used, retryAfterMs: waitFor(counted, rule, used, wanted) };
    }
  }
  return undefined;
}

function waitFor(
  counted: readonly Spending[],
  { limit, windowMs }: TokenRule,
  used: number,
  wanted: Pick<Spending, 'at' | 'tokens'>,
): number | undefined {
  if (wanted.tokens > limit) return undefined;
  let rest = used;
  for (const { at, tokens } of counted) {
    rest -= tokens;
    // A clock that was set back leaves entries in the future; a caller never waits longer than the window for
    // them.
    if (rest + wanted.tokens <= limit) return Math.min(windowMs, at + windowMs - wanted.at);
  }
  return 0;
}

/** Replaces the booking of a finished call by its real cost. */
export function settle(spent: readonly Spending[], open: string, tokens: number): readonly Spending[] {
  return spent.flatMap((spending) => {
    if (spending.open !== open) return [spending];
    const { at, caller } = spending;
    return tokens > 0 ? [{ at, caller, tokens }] : [];
  });
}

/**
 * Removes entries that no rule counts any more and merges those within a minute, so that the list stays
 * short.
 */
export function tidySpendings(spent: readonly Spending[], now: number): readonly Spending[] {
  const joined = new Map<string, Spending>();
  for (const spending of spent) {
    const { at, caller, tokens, open } = spending;
    if (now - at >= DAY_MS) continue;
    const key = open === undefined ? `${Math.floor(at / MINUTE_MS)} ${caller}` : `open ${open}`;
    const before = joined.get(key);
    // The later of two times: merged entries expire slightly late, never early.
    joined.set(
      key,
      before === undefined
        ? spending
        : { at: Math.max(at, before.at), caller, tokens: tokens + before.tokens },
    );
  }
  return [...joined.values()];
}
