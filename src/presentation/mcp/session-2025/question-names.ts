import type { Incoming, RequestId, RpcMessage } from '../surface/json-rpc.js';

type Response = Extract<Incoming, { readonly kind: 'response' }>;

const NAMED = /^([a-z0-9]{1,32})\.(\d{1,15})$/;

/** A question, or the withdrawal of one, under an id that says which instance asks. */
export function namedQuestion(message: RpcMessage, asker: string): RpcMessage {
  if (asker === '' || !('method' in message)) return message;
  if ('id' in message) return { ...message, id: `${asker}.${message.id}` };
  const id = message.params?.requestId;
  if (message.method !== 'notifications/cancelled' || id === undefined) return message;
  return { ...message, params: { ...message.params, requestId: `${asker}.${id}` } };
}

/** The answer under the id that was asked with. */
export function answerToOwn(answer: Response, asker: string): Response {
  const { message } = answer;
  const [, instance, id] = NAMED.exec(String(message.id)) ?? [];
  if (asker === '' || instance !== asker) return answer;
  return { kind: 'response', message: { ...message, id: Number(id) } };
}

/** Which instance asked what this answers; undefined where the id does not say. */
export function askerOf(id: RequestId): string | undefined {
  return NAMED.exec(String(id))?.[1];
}
