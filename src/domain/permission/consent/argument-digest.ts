import { canonicalJson, type TextDigest } from '../../canonical-json.js';
import { Result } from '../../result.js';

/**
 * The digest that a consent is bound to: equal arguments have the same one, whatever the order of their keys.
 */
export function argumentDigest(args: unknown, digest: TextDigest): Result<string> {
  const text = canonicalJson(args, digest);
  return text === undefined
    ? Result.failure('The arguments are nested deeper than 200 levels; flatten them.', 'ArgumentsTooDeep')
    : Result.ok(digest(text));
}
