/**
 * Lets the referee run under Node 20: it imports fs.globSync, which is newer, for a part of it that is not used here.
 */
import { register } from 'node:module';

const SHIM = `data:text/javascript,${encodeURIComponent(
  "export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => { throw new Error('fs.globSync needs Node 22.'); };",
)}`;

const hooks = `export const resolve = (specifier, context, next) =>
  specifier === 'fs' && /conformance[^/]*\\/dist\\//.test(context.parentURL ?? '')
    ? { url: ${JSON.stringify(SHIM)}, shortCircuit: true }
    : next(specifier, context);`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
