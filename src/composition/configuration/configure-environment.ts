/**
 * The application's own default prefix, for the library that reads it. Before the server is built; a value
 * that is there already stays, and the empty one is a value.
 */
export function configureEnvironment(environment: NodeJS.ProcessEnv, toolPrefix: string): void {
  environment.MCP_TOOL_PREFIX ??= toolPrefix;
}
