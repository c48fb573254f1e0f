// A host whose tools say more about themselves than ours, and hide each other from the session that calls them.
import {
  createCastellan,
  defineTool,
  Result,
  ToolResult,
  ToolVisibility,
  toolArguments,
} from '../../dist/lib/index.js';

const about = {
  version: '1.0.0',
  category: 'host',
  description: 'Does what its name says, for tests.',
  usage: 'Call it.',
  examples: [{ title: 'Without arguments', arguments: {} }],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  security: 'Touches nothing outside of the session.',
  outputText: 'A word.',
  input: toolArguments({}),
};

const described = defineTool({
  ...about,
  name: 'described',
  summary: 'Say nothing.',
  annotations: { 'x-colour': 'blue', 'x-list': [1, { deep: true }] },
  meta: { 'acme.example/owner': { team: 'tools', since: 2026 } },
  run: () => Result.ok(ToolResult.json({ a: 1 })),
});

const curtain = (name, act) =>
  defineTool({
    ...about,
    name,
    summary: 'Hide or show described.',
    needs: { visibility: ToolVisibility },
    run: (_args, { visibility }, { session }) =>
      Result.ok(ToolResult.text(String(visibility[act](session, 'described')))),
  });

const castellan = await createCastellan({
  tools: [described, curtain('draw', 'hide'), curtain('open', 'show')],
});
await castellan.serveStdio();
await castellan.close();
