/**
 * A host whose tools change while it serves: tests/e2e/embedder.test.ts runs it from the packed tarball and talks to it
 * with the public client of the protocol. It imports nothing but what a host can install.
 */
import { createCastellan, defineTool, Result, ToolResult, toolArguments } from 'castellan';
import * as Type from 'typebox';

const about = {
  version: '1.0.0',
  summary: 'A tool of the host.',
  description: 'Does what its name says.',
  usage: 'Call it.',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  security: 'None.',
} as const;

const summarise = (words: string) =>
  defineTool({
    ...about,
    name: 'summarise',
    category: 'ai',
    examples: [{ title: 'One text', arguments: { text: 'A long text.' } }],
    input: toolArguments({ text: Type.String({ description: 'What to sum up.' }) }),
    run: ({ text }) => Result.ok(ToolResult.text(`${words}: ${text}`)),
  });

const told = (registered: Result<{ readonly name: string }>) =>
  Result.ok(ToolResult.text(registered.success ? registered.value.name : registered.error));

const change = defineTool({
  ...about,
  name: 'change_tools',
  category: 'host',
  examples: [{ title: 'Add the tool', arguments: { step: 'add' } }],
  input: toolArguments({ step: Type.String({ description: 'add, wrong, exchange or remove.' }) }),
  run: ({ step }) => {
    switch (step) {
      case 'add':
        return told(castellan.registerTool(summarise('first')));
      case 'wrong':
        return told(castellan.replaceTool({ ...summarise('wrong'), examples: [] }));
      case 'exchange':
        return told(castellan.replaceTool(summarise('second')));
      default:
        return Result.ok(ToolResult.text(String(castellan.unregisterTool('summarise'))));
    }
  },
});

const castellan = await createCastellan({ workspace: import.meta.dirname, tools: [change] });
await castellan.serveStdio();
