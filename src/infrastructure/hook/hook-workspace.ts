type Environment = Readonly<Record<string, string | undefined>>;

/** Where clients tell their hooks what the project is. Others start them in it. */
const VARIABLES: Readonly<Record<string, string>> = {
  claude: 'CLAUDE_PROJECT_DIR',
  gemini: 'GEMINI_PROJECT_DIR',
  cursor: 'CURSOR_PROJECT_DIR',
};

/** The folder whose policy judges; undefined: the one that the hook was started in. */
export function hookWorkspace(client: string, environment: Environment): string | undefined {
  const named = environment.CASTELLAN_WORKSPACE;
  if (named !== undefined && named !== '') return named;
  const variable = VARIABLES[client];
  const folder = variable === undefined ? undefined : environment[variable];
  return folder === undefined || folder === '' ? undefined : folder;
}
