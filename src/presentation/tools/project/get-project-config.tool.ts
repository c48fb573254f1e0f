// How a tool is written: ../README.md
import * as Type from 'typebox';
import { GetProjectConfigHandler } from '../../../application/knowledge/get-project-config.js';
import { defineTool } from '../define-tool.js';
import { mapOf, oneOf, toolArguments } from '../tool-arguments.js';
import { READS } from './flag-notes.js';

const category = Type.Object({
  dir: Type.String({ description: 'Its folder, relative to the workspace or absolute.' }),
  patterns: Type.Array(Type.String(), { description: 'Which files of the folder are its documents.' }),
  description: Type.String({ description: 'What it is for, in words of the project.' }),
  kind: oneOf(['guidelines', 'patterns', 'adr', 'documents'], { description: 'How it is read.' }),
});

const problem = Type.Object({
  path: Type.String({ description: 'The file.' }),
  problem: Type.String({ description: 'Why it was left out or read only in part.' }),
});

export const getProjectConfigTool = defineTool({
  name: 'get_project_config',
  version: '1.0.0',
  category: 'project',
  toolset: 'knowledge',
  summary: 'Show how a project is configured.',
  description:
    'The categories of documents with their folders, the collections over them, the flags in force and the files that could not be read. Call it before get_content to learn which names there are.',
  usage: 'Call without arguments for the active project, or with the name of another.',
  concise: {
    text: "Show the project's categories of documents, collections and flags.",
    arguments: { project: 'Default: the active one' },
  },
  examples: [{ title: 'The active project', arguments: {} }],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  errors: [{ type: 'NotFoundError', when: 'there is no project of that name' }],
  security: 'Shows names, folders and flags of the project; no document and no secret.',
  profile: { from: 'readonly' },
  specification: {
    answer: {
      project: 'castellan',
      active: true,
      categories: {
        guidelines: {
          dir: 'docs/guidelines',
          patterns: ['**/*.md'],
          description: 'How we work',
          kind: 'guidelines',
        },
      },
      collections: { python: ['guidelines/python*'] },
      flags: { 'dark-mode': true },
      paths: { workspace: '/home/ada/castellan', categories: { guidelines: 'docs/guidelines' } },
      problems: [{ path: 'docs/guidelines/broken.md', problem: 'The front matter ends in the middle.' }],
    },
    security: {
      ...READS,
      files:
        "Reads the settings and looks through the folders of the project's categories. No path comes from the caller.",
      secrets:
        'Shows names, folders and flags: the absolute path of the workspace is among them. No document and no variable. Leave it out of the policy where a caller must not learn them.',
    },
  },
  input: toolArguments({
    project: Type.Optional(
      Type.String({
        description: 'The name of a project; the active one where absent.',
        minLength: 1,
        maxLength: 100,
        examples: ['castellan'],
      }),
    ),
  }),
  output: Type.Object({
    project: Type.String({ description: 'Its name.' }),
    active: Type.Boolean({ description: 'Whether it is the one in use.' }),
    categories: mapOf(category, { description: 'By name.' }),
    collections: mapOf(Type.Array(Type.String()), {
      description: 'By name: what each stands for.',
    }),
    flags: mapOf(Type.Unknown(), { description: 'Flags in force, by name.' }),
    paths: Type.Object({
      workspace: Type.String({ description: 'Absolute.' }),
      categories: mapOf(Type.String(), { description: 'The folder of each category.' }),
    }),
    problems: Type.Array(problem, { description: 'Documents that could not be taken in; at most 50.' }),
  }),
  needs: { config: GetProjectConfigHandler },
  run: (query, { config }) => config.handle(query),
});
