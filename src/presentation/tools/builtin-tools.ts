import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import { createDocumentTool } from './knowledge/create-document.tool.js';
import { deleteDocumentTool } from './knowledge/delete-document.tool.js';
import { getContentTool } from './knowledge/get-content.tool.js';
import { searchArchitectureTool } from './knowledge/search-architecture.tool.js';
import { updateDocumentTool } from './knowledge/update-document.tool.js';
import { getToolStatsTool } from './meta/get-tool-stats.tool.js';
import { getProjectConfigTool } from './project/get-project-config.tool.js';
import { echoTool } from './utility/echo.tool.js';

/** Every built-in tool. A new one is a file beside these and a line here. */
export const builtinTools: readonly ToolDefinition[] = [
  echoTool,
  getToolStatsTool,
  getContentTool,
  createDocumentTool,
  updateDocumentTool,
  deleteDocumentTool,
  searchArchitectureTool,
  getProjectConfigTool,
];
