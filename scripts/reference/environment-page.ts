import { code, pageOf, table } from './markdown.js';

interface Variable {
  readonly names: readonly string[];
  readonly means: string;
}

/** A test compares this list with the variables that the code reads. */
export const VARIABLES: readonly Variable[] = [
  { names: ['CASTELLAN_WORKSPACE'], means: 'The project directory (option `--workspace`).' },
  {
    names: ['CASTELLAN_POLICY'],
    means: 'The policy file (option `--policy`). A file named here is trusted.',
  },
  {
    names: ['CASTELLAN_CONFIG'],
    means: 'The settings file (option `--config`). A file named here is trusted.',
  },
  { names: ['CASTELLAN_CEILING'], means: 'A policy that must also allow a call (option `--ceiling`).' },
  { names: ['CASTELLAN_LOG_LEVEL'], means: '`trace`, `debug`, `info`, `warn`, `error` or `silent`.' },
  {
    names: ['CASTELLAN_LOG_FORMAT'],
    means: '`json` or `text`. Default: text on a terminal, else JSON lines.',
  },
  {
    names: ['CASTELLAN_TOOLSETS'],
    means: 'Names of [toolsets](results.md#toolsets), or `all` (option `--toolsets`).',
  },
  { names: ['CASTELLAN_ANSWERS'], means: '`text` or `envelope`: the form of [results](results.md#forms).' },
  { names: ['CASTELLAN_REDIS_URL'], means: 'The Redis of several instances; overrides `redis.url`.' },
  {
    names: ['CASTELLAN_REDIS_SERVICE'],
    means: 'Separates services on one Redis; overrides `redis.service`.',
  },
  {
    names: ['CASTELLAN_REDIS_SECRET'],
    means:
      'Shared by instances on several machines, at least 32 characters. Default: created in the state directory.',
  },
  { names: ['CASTELLAN_HTTP_HOST'], means: 'The address to listen on; overrides `http.host`.' },
  { names: ['CASTELLAN_HTTP_PORT'], means: 'The port to listen on; overrides `http.port`.' },
  {
    names: ['CASTELLAN_TOKEN'],
    means: 'The token of the HTTP server, at least 16 characters. Default: created at the first start.',
  },
  {
    names: ['CASTELLAN_TRY'],
    means: '`1`: after the start, `serve --http` makes one call and prints its result.',
  },
  {
    names: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'],
    means: 'For [claude_conversation](../how-to/models.md).',
  },
  {
    names: ['MCP_TOOL_PREFIX'],
    means: 'Put before the name of every tool. Set and empty: no prefix, whatever the settings say.',
  },
  { names: ['MCP_INCLUDE_EXAMPLE_TOOLS'], means: '`true` adds the example tools.' },
  {
    names: ['XDG_STATE_HOME'],
    means: 'Where the [state directory](state-files.md#state) is. Default: `~/.local/state`.',
  },
  { names: ['XDG_CONFIG_HOME'], means: "Where the user's own configuration is. Default: `~/.config`." },
  { names: ['NO_COLOR'], means: 'Has no effect: output is never coloured.' },
];

export function environmentPage(): string {
  const purpose =
    'Every environment variable that Castellan reads. A command-line option overrides a variable; a variable overrides the settings file.';
  const rows = VARIABLES.map(({ names, means }) => [names.map(code).join(', '), means]);
  return pageOf('Environment variables', purpose, [table(['variable', 'meaning'], rows)]);
}
