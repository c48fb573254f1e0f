// What a host would write: its own tools, its own settings, its own end. EMBEDDER_OPTIONS is JSON.
import { setTimeout as sleep } from 'node:timers/promises';
import * as Type from 'typebox';
import {
  createCastellan,
  defineTool,
  Result,
  ToolRegistry,
  ToolResult,
  toolArguments,
} from '../../dist/lib/index.js';

const about = {
  version: '1.0.0',
  category: 'host',
  summary: 'A tool for tests.',
  description: 'Does what its name says, for tests.',
  usage: 'Call it.',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  security: 'None.',
  outputText: 'A word.',
};

const slow = defineTool({
  ...about,
  name: 'slow',
  examples: [{ title: 'A moment', arguments: { ms: 10 } }],
  input: toolArguments({ ms: Type.Integer({ description: 'How long.', minimum: 0 }) }),
  run: async ({ ms }) => {
    await sleep(ms);
    return Result.ok(ToolResult.text('done'));
  },
});

const off = defineTool({
  ...about,
  name: 'off',
  examples: [{ title: 'Never', arguments: {} }],
  input: toolArguments({}),
  run: () => Result.ok(ToolResult.text('on after all')),
});

const form = defineTool({
  ...about,
  name: 'form',
  examples: [{ title: 'All', arguments: { count: 1, title: 'a' } }],
  input: toolArguments({
    count: Type.Integer({ description: 'A number.' }),
    title: Type.String({ description: 'A text.' }),
  }),
  run: () => Result.ok(ToolResult.text('filled in')),
});

const ask = defineTool({
  ...about,
  name: 'ask',
  examples: [{ title: 'Ask', arguments: {} }],
  input: toolArguments({}),
  run: async (_args, _needs, context) => {
    const fields = { name: { type: 'string' } };
    const answer = await context.elicit({ message: 'Who are you?', fields });
    return Result.ok(ToolResult.text(answer.action));
  },
});

const options = JSON.parse(process.env.EMBEDDER_OPTIONS ?? '{}');
const castellan = await createCastellan({ tools: [slow, off, form, ask], ...options });
castellan.container.get(ToolRegistry).get('off').tool.disable();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void castellan.close());
await castellan.serveStdio();
await castellan.close();
process.exit(0);
