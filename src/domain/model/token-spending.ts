import { isJsonObject } from '../json-value.js';
import type { TokenRule } from '../permission/policy/obligations.js';

/** Tokens that a caller used, or may still use: a call under way is booked with the most it can cost. */
export interface Spending {
  readonly at: number;
  readonly caller: string;
  readonly tokens: number;
  /** Names the call while it is under way. */
  readonly open?: string;
}

/** Whether a value from outside is one. */
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
  /** Until enough of what was used is forgotten; undefined: the call alone is more than the limit. */
  readonly retryAfterMs: number | undefined;
}

const CHARACTERS_PER_TOKEN = 4;
const MINUTE_MS = 60_000;
/** The longest window a rule can name. */
const DAY_MS = 86_400_000;

/** For texts whose tokens nobody counts for us. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** The first rule that has no room for so many tokens more. */
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
    // A clock that was set back leaves spendings in the future; nobody waits longer than the window for them.
    if (rest + wanted.tokens <= limit) return Math.min(windowMs, at + windowMs - wanted.at);
  }
  return 0;
}

/** The call under that name has ended and cost so much. */
export function settle(spent: readonly Spending[], open: string, tokens: number): readonly Spending[] {
  return spent.flatMap((spending) => {
    if (spending.open !== open) return [spending];
    const { at, caller } = spending;
    return tokens > 0 ? [{ at, caller, tokens }] : [];
  });
}

/** Forgets what no rule counts any more and joins what was used within a minute, so that the list stays short. */
export function tidySpendings(spent: readonly Spending[], now: number): readonly Spending[] {
  const joined = new Map<string, Spending>();
  for (const spending of spent) {
    const { at, caller, tokens, open } = spending;
    if (now - at >= DAY_MS) continue;
    const key = open === undefined ? `${Math.floor(at / MINUTE_MS)} ${caller}` : `open ${open}`;
    const before = joined.get(key);
    // The later of two times: what is joined is forgotten a little late, never early.
    joined.set(
      key,
      before === undefined
        ? spending
        : { at: Math.max(at, before.at), caller, tokens: tokens + before.tokens },
    );
  }
  return [...joined.values()];
}
