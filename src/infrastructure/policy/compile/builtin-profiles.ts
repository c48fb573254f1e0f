import { SECRET_PATHS } from '../../../domain/permission/path/sensitive-paths.js';
import {
  type KnownTool,
  PROFILES,
  type ToolProfile,
} from '../../../domain/permission/policy/tool-capability.js';
import type { PathEntry, PolicyDocument, SandboxEntry, ToolEntry } from '../schema/policy-document.js';

export const DEFAULT_PROFILE = 'builtin:baseline';

/** Always there; a file may change them under the same names. */
export const BUILTIN_SANDBOXES: Readonly<Record<string, SandboxEntry>> = {
  strict: { read: [], write: [] },
  readonly: { read: ['.'], write: [] },
  workspace: { read: ['.'], write: ['.'] },
};

const IN_WORKSPACE = '.';
const PREFIX = 'builtin:';

export const PROFILE_NAMES: readonly string[] = PROFILES.map((name) => `${PREFIX}${name}`);

/** What the tools say about a profile, put together; undefined: there is none of that name. */
export function builtinProfile(name: string, tools: readonly KnownTool[]): PolicyDocument | undefined {
  const width = PROFILE_NAMES.indexOf(name);
  if (width < 0) return undefined;
  const places = placesIn(name);
  const entries = tools.flatMap(({ name: tool, profile }) =>
    profile === undefined || PROFILES.indexOf(profile.from) > width
      ? []
      : [[tool, entryOf(profile, places)] as const],
  );
  const isWidest = width === PROFILES.length - 1;
  return {
    ...(isWidest && { defaults: { sandbox: [{ name: 'workspace', at: places() }] } }),
    tools: Object.fromEntries(entries),
  };
}

/** Built-in rules stand in no file; each has a number of its own so that explanations differ. */
function placesIn(file: string): () => ToolEntry['at'] {
  let line = 0;
  return () => {
    line += 1;
    return { file, line, column: 1 };
  };
}

function entryOf({ from, paths, consent, commands }: ToolProfile, at: () => ToolEntry['at']): ToolEntry {
  return {
    at: at(),
    ...(paths && { allowed_paths: [from === 'workspace' ? withoutSecrets(at()) : inWorkspace(at())] }),
    ...(consent && { consent: { mode: consent, at: at() } }),
    ...(commands === 'any' && {
      allowed_commands: [{ command: [['*']], at: at() }],
      shell: { value: 'full', at: at() },
      git_may_restore: true,
      background: {},
    }),
  };
}

function inWorkspace(at: ToolEntry['at']): PathEntry {
  return { path: IN_WORKSPACE, at };
}

/** A secret is not written either, unless a list of the file's own names it. */
function withoutSecrets(at: ToolEntry['at']): PathEntry {
  return { ...inWorkspace(at), except: SECRET_PATHS.map(({ pattern }) => pattern) };
}
