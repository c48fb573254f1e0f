// How a tool is written: ../README.md
import * as Type from 'typebox';
import { type ToolsetLine, Toolsets } from '../../../application/tool/toolsets.js';
import { isJsonObject } from '../../../domain/json-value.js';
import { Result } from '../../../domain/result.js';
import { TOOLSETS } from '../../../domain/tool/toolset.js';
import { objectsOf, textOf, textsOf } from '../../answers/json-fields.js';
import { defineTool } from '../define-tool.js';
import { oneOf, toolArguments } from '../tool-arguments.js';

const toolsetLine = Type.Object({
  set: Type.String({ description: 'Its name.' }),
  purpose: Type.String({ description: 'What it is for.' }),
  tools: Type.Array(Type.String(), { description: 'The names of its tools.' }),
});

export const enableToolsetTool = defineTool({
  name: 'enable_toolset',
  version: '1.0.0',
  category: 'meta',
  toolset: null,
  tags: ['tools'],
  summary: 'Show more tools, by set.',
  description:
    'Tools come in sets, and a session is shown those that its workspace has a use for. Without arguments it lists the sets that are not shown; with one it adds that set to the list of this session, and the client is told that its list has changed.',
  usage: 'Call without arguments to see what there is, then with a set.',
  concise: {
    text: 'Add a set of tools that is not listed. Without set: which sets there are.',
    arguments: { set: 'Added to the list' },
  },
  examples: [
    { title: 'Which sets are not shown', arguments: {} },
    { title: 'Add the tools for flags', arguments: { set: 'flags' } },
  ],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  errors: [{ type: 'NotFoundError', when: 'the set has no tools here' }],
  security:
    'Changes what this session is shown and nothing it may do: the policy decides about each call as before.',
  profile: { from: 'readonly' },
  specification: {
    answer: {
      enabled: [
        { set: 'flags', purpose: 'flags of the project and of all projects', tools: ['get_project_flag'] },
      ],
      hidden: [{ set: 'meta', purpose: 'facts about the server and the system', tools: ['system_info'] }],
    },
    security: {
      files: 'None.',
      network: 'None.',
      execution: 'None.',
      changes: 'None: only what this session is shown.',
      secrets:
        'Names only tools that the policy could allow to this caller. Leave it out with `tools: { exclude: [enable_toolset] }`.',
    },
  },
  input: toolArguments({
    set: Type.Optional(
      oneOf(TOOLSETS, {
        description:
          'The set to add: files, commands, knowledge, flags, meta or ai; lists them where absent.',
        examples: ['flags'],
      }),
    ),
  }),
  output: Type.Object({
    enabled: Type.Array(toolsetLine, { description: 'The set that was added; empty where none was named.' }),
    hidden: Type.Array(toolsetLine, { description: 'The sets that are not shown.' }),
  }),
  show: (value) => {
    const { enabled, hidden } = isJsonObject(value) ? value : {};
    const added = objectsOf(enabled).map((line) => `Added: ${textsOf(line, 'tools').join(', ')}`);
    const left = objectsOf(hidden).map((line) => `${textOf(line, 'set')}: ${textOf(line, 'purpose')}`);
    if (added.length > 0) return { texts: added };
    return left.length === 0 ? { texts: [], notes: ['Every set is shown.'] } : { texts: [left.join('\n')] };
  },
  needs: { toolsets: Toolsets },
  run: ({ set }, { toolsets }, { session }) => {
    const enabled: ToolsetLine[] = [];
    if (set !== undefined) {
      const added = toolsets.enable(session, set);
      if (!added.success) return added;
      enabled.push(added.value);
    }
    return Result.ok({ enabled, hidden: toolsets.hidden(session) });
  },
});
