import { timingSafeEqual } from 'node:crypto';
import { isJsonObject } from '../../domain/json-value.js';
import type { RedisStore } from './redis-store.js';

/** What instances say to each other. `n` numbers the parts of an answer from 1. */
export type LinkFrame =
  | { readonly kind: 'ask'; readonly id: string; readonly body: string }
  | { readonly kind: 'part'; readonly id: string; readonly n: number; readonly body: string }
  | { readonly kind: 'over'; readonly id: string; readonly n: number }
  /** Asks for what followed the part that was seen last. */
  | { readonly kind: 'resend'; readonly id: string; readonly n: number }
  | { readonly kind: 'working'; readonly id: string }
  | { readonly kind: 'unknown'; readonly id: string }
  | { readonly kind: 'tell'; readonly body: string };

export interface ReceivedFrame {
  readonly from: string;
  readonly frame: LinkFrame;
}

const PURPOSE = 'link';
/** An old message is not heard again, however it was kept. */
export const MAX_AGE_MS = 60_000;

/** Signed, and bound to who says it to whom and when: a message that somebody puts into Redis is not obeyed. */
export function writeFrame(store: RedisStore, to: string, frame: LinkFrame): string {
  const text = JSON.stringify({ from: store.instance, to, at: Date.now() + store.lease.skewMs, frame });
  return store.sign(PURPOSE, text) + text;
}

/** undefined: not from an instance of ours, not for us, or too old. */
export function readFrame(store: RedisStore, message: string): ReceivedFrame | undefined {
  const brace = message.indexOf('{');
  if (brace < 0) return undefined;
  const text = message.slice(brace);
  const given = Buffer.from(message.slice(0, brace));
  const expected = Buffer.from(store.sign(PURPOSE, text));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const { from, to, at, frame }: Readonly<Record<string, unknown>> = JSON.parse(text);
  if (typeof from !== 'string' || from === store.instance) return undefined;
  if (to !== store.instance && to !== 'all') return undefined;
  if (typeof at !== 'number' || Math.abs(Date.now() + store.lease.skewMs - at) > MAX_AGE_MS) return undefined;
  return isFrame(frame) ? { from, frame } : undefined;
}

/** The signature says that one of our own instances wrote it. */
function isFrame(value: unknown): value is LinkFrame {
  return isJsonObject(value) && typeof value.kind === 'string';
}
