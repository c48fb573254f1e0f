import { toSchemaMarkdown } from '../docs/schema-markdown.js';
import { buildToolDescription } from '../docs/tool-description.js';
import { declareTool, getDeclaredTools } from './declared-tools.js';
import { toolArguments } from './tool-arguments.js';

/** The seeds' name for the arguments of a tool: docs/contributing/from-the-seeds.md. */
export const ToolArguments: typeof toolArguments & {
  readonly declare: typeof declareTool;
  readonly getDeclaredTools: typeof getDeclaredTools;
  readonly toSchemaMarkdown: typeof toSchemaMarkdown;
  readonly buildToolDescription: typeof buildToolDescription;
} = Object.assign(toolArguments.bind(undefined), {
  declare: declareTool,
  getDeclaredTools,
  toSchemaMarkdown,
  buildToolDescription,
});
