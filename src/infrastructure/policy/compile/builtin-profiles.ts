import type { ConsentTerms } from '../../../domain/permission/consent/consent.js';
import { SECRET_PATHS } from '../../../domain/permission/path/sensitive-paths.js';
import type { PathEntry, PolicyDocument, SandboxEntry, ToolEntry } from '../schema/policy-document.js';

export const DEFAULT_PROFILE = 'builtin:baseline';

/** Always there; a file may change them under the same names. */
export const BUILTIN_SANDBOXES: Readonly<Record<string, SandboxEntry>> = {
  strict: { read: [], write: [] },
  readonly: { read: ['.'], write: [] },
  workspace: { read: ['.'], write: ['.'] },
};

const IN_WORKSPACE = '.';

/** Built-in rules stand in no file; their numbers follow the order below so that explanations differ. */
function profile(name: string): {
  entry: (parts?: Omit<ToolEntry, 'at'>) => ToolEntry;
  path: (path: string) => PathEntry;
} {
  let line = 0;
  const at = () => {
    line += 1;
    return { file: name, line, column: 1 };
  };
  return {
    entry: (parts = {}) => ({ ...parts, at: at() }),
    path: (path) => ({ path, at: at() }),
  };
}

const READERS = ['read_file', 'read_files', 'list_directory', 'search_files', 'search_content', 'file_info'];
const WRITERS = ['write_file', 'edit_file', 'create_directory', 'move_path', 'copy_path'];
/** They show a person what would change. */
const SHOWING: readonly string[] = ['write_file', 'edit_file'];
const SETTERS = ['set_project_flag', 'set_feature_flag'];
const PLAIN = [
  'echo',
  'system_info',
  'get_content',
  'search_architecture',
  'validate_against_pattern',
  'check_adr_alignment',
  'get_project_config',
  'get_project_flag',
  'list_project_flags',
  'get_feature_flag',
  'list_feature_flags',
  'explain_permission',
  'enable_toolset',
  'get_tool_stats',
];

function readingTools(name: string): Record<string, ToolEntry> {
  const { entry, path } = profile(name);
  return Object.fromEntries([
    ...READERS.map((tool) => [tool, entry({ allowed_paths: [path(IN_WORKSPACE)] })]),
    ...PLAIN.map((tool) => [tool, entry()]),
  ]);
}

function baseline(name: string): PolicyDocument {
  const { entry } = profile(name);
  const setters = Object.fromEntries(SETTERS.map((tool) => [tool, entry()]));
  return { tools: { ...readingTools(name), ...setters } };
}

function workspace(name: string): PolicyDocument {
  const { entry, path } = profile(name);
  // A secret is not written either, unless a list of the file's own names it.
  const withoutSecrets = (): PathEntry => ({
    ...path(IN_WORKSPACE),
    except: SECRET_PATHS.map(({ pattern }) => pattern),
  });
  const asking = (): ConsentTerms => ({ mode: 'ask', at: entry().at });
  const writers = WRITERS.map((tool) => [
    tool,
    entry({ allowed_paths: [withoutSecrets()], ...(SHOWING.includes(tool) && { protected: 'ask' }) }),
  ]);
  const documents = ['create_document', 'update_document'].map((tool) => [
    tool,
    entry({ allowed_paths: [withoutSecrets()] }),
  ]);
  return {
    defaults: { sandbox: [{ name: 'workspace', at: { file: name, line: 1, column: 1 } }] },
    tools: {
      ...baseline(name).tools,
      ...Object.fromEntries([...writers, ...documents]),
      delete_path: entry({ allowed_paths: [withoutSecrets()], consent: asking() }),
      delete_document: entry({ allowed_paths: [withoutSecrets()], consent: asking() }),
      execute_command: entry({
        allowed_paths: [withoutSecrets()],
        allowed_commands: [{ command: [['*']], at: { file: name, line: 2, column: 1 } }],
        shell: { value: 'full', at: { file: name, line: 2, column: 1 } },
        git_may_restore: true,
        background: {},
      }),
    },
  };
}

const PROFILES: Readonly<Record<string, (name: string) => PolicyDocument>> = {
  [DEFAULT_PROFILE]: baseline,
  'builtin:readonly': (name) => ({ tools: readingTools(name) }),
  'builtin:workspace': workspace,
};

export const PROFILE_NAMES: readonly string[] = Object.keys(PROFILES);

export function builtinProfile(name: string): PolicyDocument | undefined {
  return Object.hasOwn(PROFILES, name) ? PROFILES[name]?.(name) : undefined;
}
