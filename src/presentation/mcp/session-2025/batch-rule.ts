import { classify, type Incoming } from '../surface/json-rpc.js';

/** The one revision that has batches; later ones took them out again. */
const BATCH_VERSION = '2025-03-26';
const MAX_BATCH = 1000;

/** The messages of a JSON array from the wire; one invalid message where the array itself is not allowed. */
export function unpackBatch(
  values: readonly unknown[],
  protocolVersion: string | undefined,
): readonly Incoming[] {
  if (protocolVersion !== BATCH_VERSION) {
    return [refused('this protocol version has no batches; send one message at a time')];
  }
  if (values.length === 0 || values.length > MAX_BATCH) {
    return [refused(`a batch has 1 to ${MAX_BATCH} messages; got ${values.length}`)];
  }
  return values.map(classify);
}

function refused(why: string): Incoming {
  return { kind: 'invalid', id: null, why };
}
