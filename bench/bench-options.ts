import { parseArgs } from 'node:util';

export interface BenchOptions {
  readonly suite: string | undefined;
  readonly args: readonly string[];
  readonly peers: boolean;
  readonly strict: boolean;
  readonly json: string | undefined;
  readonly server: string;
  readonly write: string | undefined;
}

export const benchUsage = `npm run bench                       every suite, against the floor and the bare SDK
npm run bench -- NAME [ARGS…]       one suite; most take the number of rounds; files takes "whole" after it;
                                    service needs redis-server and runs only when it is named;
                                    knowledge takes a folder of documents and a file of queries [{kind, query, answer}]
  --peers         also install and measure other servers from npm
  --json FILE     write every sample as JSON
  --write FILE    put the figures where the page has its place for them
  --strict        exit with 1 when a goal is missed or not measured
  --server FILE   the built server to measure instead of dist/main.js`;

/** Throws on an option that does not exist. */
export function parseBenchOptions(argv: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      peers: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      json: { type: 'string' },
      server: { type: 'string', default: 'dist/main.js' },
      write: { type: 'string' },
    },
  });
  const [suite, ...args] = positionals;
  return {
    suite,
    args,
    peers: values.peers,
    strict: values.strict,
    json: values.json,
    server: values.server,
    write: values.write,
  };
}
