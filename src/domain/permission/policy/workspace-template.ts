import { Result } from '../../result.js';
import type { Caller } from '../../session/caller.js';

const PLACEHOLDER = /\$\{([^}]*)\}/g;
const KNOWN = /^(?:id|claim\.[\w:/.-]{1,100})$/;
/** A directory name: no slash, no leading dots, nothing that a shell or a person would misread. */
const SEGMENT = /^[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*$/;
const MAX_SEGMENT = 64;

/** The problem of a template; undefined if it is valid. */
export function workspaceTemplateProblem(template: string): string | undefined {
  const unknown = [...template.matchAll(PLACEHOLDER)].find(([, name = '']) => !KNOWN.test(name));
  if (unknown !== undefined) return `${unknown[0]} is not known here; there are \${id} and \${claim.NAME}.`;
  if (template.includes('\0')) return 'A folder has no zero byte in its name.';
  const upwards = template.split('/').includes('..');
  return upwards ? 'A workspace of a principal must not lead upwards; write an absolute path.' : undefined;
}

/** The part of a template that is the same for every caller: the directories before the first placeholder. */
export function fixedFolderOf(template: string): string {
  const at = template.search(PLACEHOLDER);
  return at === -1 ? template : template.slice(0, template.lastIndexOf('/', at) + 1) || '.';
}

/** The directory of one caller. The value of a claim becomes the name of a directory, never a path. */
export function fillWorkspaceTemplate(template: string, caller: Caller): Result<string> {
  let missing: string | undefined;
  const folder = template.replaceAll(PLACEHOLDER, (_all, name: string) => {
    const claims = caller.claims ?? {};
    const claim = name.slice('claim.'.length);
    const value = name === 'id' ? caller.id : Object.hasOwn(claims, claim) ? claims[claim] : undefined;
    if (typeof value === 'string' && value.length <= MAX_SEGMENT && SEGMENT.test(value)) return value;
    missing ??= name;
    return '';
  });
  if (missing === undefined) return Result.ok(folder);
  return Result.failure(
    `There is no workspace for this caller: its ${missing} is not the name of a folder.`,
    'NoWorkspace',
  );
}
