import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import { claudeConversationTool } from './ai/claude-conversation.tool.js';
import { checkAdrAlignmentTool } from './knowledge/check-adr-alignment.tool.js';
import { createDocumentTool } from './knowledge/create-document.tool.js';
import { deleteDocumentTool } from './knowledge/delete-document.tool.js';
import { getContentTool } from './knowledge/get-content.tool.js';
import { searchArchitectureTool } from './knowledge/search-architecture.tool.js';
import { updateDocumentTool } from './knowledge/update-document.tool.js';
import { validateAgainstPatternTool } from './knowledge/validate-against-pattern.tool.js';
import { getToolStatsTool } from './meta/get-tool-stats.tool.js';
import { getFeatureFlagTool } from './project/get-feature-flag.tool.js';
import { getProjectConfigTool } from './project/get-project-config.tool.js';
import { getProjectFlagTool } from './project/get-project-flag.tool.js';
import { listFeatureFlagsTool } from './project/list-feature-flags.tool.js';
import { listProjectFlagsTool } from './project/list-project-flags.tool.js';
import { setFeatureFlagTool } from './project/set-feature-flag.tool.js';
import { setProjectFlagTool } from './project/set-project-flag.tool.js';
import { echoTool } from './utility/echo.tool.js';

/** Every built-in tool. A new one is a file beside these and a line here. */
export const builtinTools: readonly ToolDefinition[] = [
  checkAdrAlignmentTool,
  claudeConversationTool,
  createDocumentTool,
  deleteDocumentTool,
  echoTool,
  getContentTool,
  getFeatureFlagTool,
  getProjectConfigTool,
  getProjectFlagTool,
  getToolStatsTool,
  listFeatureFlagsTool,
  listProjectFlagsTool,
  searchArchitectureTool,
  setFeatureFlagTool,
  setProjectFlagTool,
  updateDocumentTool,
  validateAgainstPatternTool,
];
