import type { ResourceNotice } from '../../../application/ports/resource/resource-notices.js';
import { INVALID_REQUEST, type RpcNotification, type RpcRequest } from '../surface/json-rpc.js';
import type { WireAnswer } from '../surface/result-mapping.js';

const MAX_SUBSCRIPTIONS = 1000;

/** Of which resources one client wants to hear. */
export class ResourceSubscriptions {
  readonly #uris = new Set<string>();

  /** Takes note of a subscription that the surface has found good; the answer that the client gets. */
  follow({ method, params }: RpcRequest, answer: WireAnswer): WireAnswer {
    const uri = params?.uri;
    if (typeof uri !== 'string' || 'error' in answer) return answer;
    if (method === 'resources/unsubscribe') this.#uris.delete(uri);
    if (method !== 'resources/subscribe') return answer;
    if (this.#uris.size >= MAX_SUBSCRIPTIONS) {
      const message = `A client has at most ${MAX_SUBSCRIPTIONS} subscriptions; unsubscribe from one first.`;
      return { error: { code: INVALID_REQUEST, message } };
    }
    this.#uris.add(uri);
    return answer;
  }

  get uris(): readonly string[] {
    return [...this.#uris];
  }

  /** As the client asked for them at another instance. */
  replace(uris: readonly string[]): void {
    this.#uris.clear();
    for (const uri of uris.slice(0, MAX_SUBSCRIPTIONS)) this.#uris.add(uri);
  }

  /** undefined: the client has not asked to hear of it. */
  notificationFor(notice: ResourceNotice): RpcNotification | undefined {
    switch (notice.kind) {
      case 'list-changed':
        return { jsonrpc: '2.0', method: 'notifications/resources/list_changed' };
      case 'updated':
        return this.#uris.has(notice.uri)
          ? { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: notice.uri } }
          : undefined;
    }
  }
}
