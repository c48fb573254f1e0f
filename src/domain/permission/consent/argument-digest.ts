import { canonicalJson, type TextDigest } from '../../canonical-json.js';
import { Result } from '../../result.js';

/** What a consent is bound to: equal arguments, whatever the order of their keys, have the same digest. */
export function argumentDigest(args: unknown, digest: TextDigest): Result<string> {
  const text = canonicalJson(args, digest);
  return text === undefined
    ? Result.failure('The arguments are nested deeper than 200 levels; flatten them.', 'ArgumentsTooDeep')
    : Result.ok(digest(text));
}
