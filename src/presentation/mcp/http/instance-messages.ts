import type { Caller } from '../../../domain/session/caller.js';
import {
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
  toJsonLine,
} from '../surface/json-rpc.js';

/** A call for the instance that owns the session. */
export interface ForwardedCall {
  readonly session: string;
  readonly caller: Caller;
  readonly message: RpcRequest;
}

/** What instances tell each other about a session. */
export type InstanceMessage =
  /** A client sent it elsewhere, and it may concern a call here. */
  | {
      readonly kind: 'deliver';
      readonly session: string;
      readonly message: RpcNotification | RpcResponse;
    }
  /** The client reads its standing stream at the instance that says so. */
  | { readonly kind: 'standing'; readonly session: string };

/** `close`: the client's connection ends while the call goes on. `moved`: this instance is not the owner. */
type Sign = 'close' | 'moved';

export function writePart(part: RpcMessage | Sign): string {
  return typeof part === 'string' ? part : toJsonLine(part);
}

/** Written by an instance of ours: the link lets nobody else through. */
export function parsePart(text: string): RpcMessage | Sign {
  return text === 'close' || text === 'moved' ? text : JSON.parse(text);
}

export function parseForwarded(text: string): ForwardedCall {
  return JSON.parse(text);
}

export function parseMessage(text: string): InstanceMessage {
  return JSON.parse(text);
}
