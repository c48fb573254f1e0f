// How a tool is written: ../README.md
import * as Type from 'typebox';
import { GetToolStatsHandler } from '../../../application/tool/get-tool-stats.js';
import { defineTool } from '../define-tool.js';
import { mapOf, oneOf, toolArguments } from '../tool-arguments.js';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const milliseconds = (description: string) => Type.Number({ minimum: 0, description });

const totals = Type.Object({
  invocations: count('Calls so far.'),
  failures: count('Those that failed.'),
  timeouts: count('Those that ran out of time.'),
  total_ms: milliseconds('Time spent in them together.'),
});

const byTool = Type.Object({
  ...totals.properties,
  failures_by_kind: mapOf(count('Failures of this kind.')),
  p50_ms: milliseconds('Half of the calls took at most this long.'),
  p95_ms: milliseconds('95 % of the calls took at most this long.'),
  p99_ms: milliseconds('99 % of the calls took at most this long.'),
  max_ms: milliseconds('The longest call.'),
  breaker: oneOf(['closed', 'open', 'half-open'], {
    description: 'open: calls are refused for a while.',
  }),
});

export const getToolStatsTool = defineTool({
  name: 'get_tool_stats',
  version: '1.0.0',
  category: 'meta',
  tags: ['diagnostics'],
  summary: 'Show how often tools ran and how long.',
  description:
    'Counts of calls, failures and timeouts since the server started, times with percentiles, and the state of each breaker. Use it to see why a tool is refused or slow.',
  usage: 'Call without arguments for all tools, or with the name of one.',
  concise: {
    text: 'Count calls, failures and times by tool since the start.',
    arguments: { tool: 'Default: all' },
  },
  examples: [
    { title: 'All tools that were called so far', arguments: {} },
    { title: 'Only echo', arguments: { tool: 'echo' } },
  ],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  errors: [{ type: 'NotFoundError', when: 'there is no tool of that name' }],
  security: 'Shows names of tools, counts and times; never arguments or results.',
  profile: { from: 'readonly' },
  specification: {
    answer: {
      total: { invocations: 42, failures: 2, timeouts: 1, total_ms: 512.25 },
      tools: {
        echo: {
          invocations: 42,
          failures: 2,
          timeouts: 1,
          total_ms: 512.25,
          failures_by_kind: { timeout: 1, 'invalid-input': 1 },
          p50_ms: 0.4,
          p95_ms: 2.1,
          p99_ms: 9.8,
          max_ms: 480,
          breaker: 'closed',
        },
      },
    },
    security: {
      files: 'None.',
      network: 'None.',
      execution: 'None.',
      changes: 'None.',
      secrets:
        'Shows names of tools, counts and times of all callers; never arguments or results. Leave it out of the policy where callers must not learn of each other.',
    },
  },
  input: toolArguments({
    tool: Type.Optional(
      Type.String({
        description: 'The name of a tool, in any spelling; all tools where absent.',
        minLength: 1,
        examples: ['echo'],
      }),
    ),
  }),
  output: Type.Object({
    total: totals,
    tools: mapOf(byTool, {
      description: 'By the name of the tool; only those that were called.',
    }),
  }),
  needs: { stats: GetToolStatsHandler },
  run: (query, { stats }) => stats.handle(query),
});
