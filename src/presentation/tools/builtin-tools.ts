import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import { claudeConversationTool } from './ai/claude-conversation.tool.js';
import { copyPathTool } from './file/copy-path.tool.js';
import { createDirectoryTool } from './file/create-directory.tool.js';
import { deletePathTool } from './file/delete-path.tool.js';
import { editFileTool } from './file/edit-file.tool.js';
import { fileInfoTool } from './file/file-info.tool.js';
import { listDirectoryTool } from './file/list-directory.tool.js';
import { movePathTool } from './file/move-path.tool.js';
import { readFileTool } from './file/read-file.tool.js';
import { readFilesTool } from './file/read-files.tool.js';
import { searchContentTool } from './file/search-content.tool.js';
import { searchFilesTool } from './file/search-files.tool.js';
import { writeFileTool } from './file/write-file.tool.js';
import { checkAdrAlignmentTool } from './knowledge/check-adr-alignment.tool.js';
import { createDocumentTool } from './knowledge/create-document.tool.js';
import { deleteDocumentTool } from './knowledge/delete-document.tool.js';
import { getContentTool } from './knowledge/get-content.tool.js';
import { searchArchitectureTool } from './knowledge/search-architecture.tool.js';
import { updateDocumentTool } from './knowledge/update-document.tool.js';
import { validateAgainstPatternTool } from './knowledge/validate-against-pattern.tool.js';
import { enableToolsetTool } from './meta/enable-toolset.tool.js';
import { explainPermissionTool } from './meta/explain-permission.tool.js';
import { getToolStatsTool } from './meta/get-tool-stats.tool.js';
import { getFeatureFlagTool } from './project/get-feature-flag.tool.js';
import { getProjectConfigTool } from './project/get-project-config.tool.js';
import { getProjectFlagTool } from './project/get-project-flag.tool.js';
import { listFeatureFlagsTool } from './project/list-feature-flags.tool.js';
import { listProjectFlagsTool } from './project/list-project-flags.tool.js';
import { setFeatureFlagTool } from './project/set-feature-flag.tool.js';
import { setProjectFlagTool } from './project/set-project-flag.tool.js';
import { executeCommandTool } from './system/execute-command.tool.js';
import { listProcessesTool } from './system/list-processes.tool.js';
import { processInputTool } from './system/process-input.tool.js';
import { processOutputTool } from './system/process-output.tool.js';
import { stopProcessTool } from './system/stop-process.tool.js';
import { systemInfoTool } from './system/system-info.tool.js';
import { echoTool } from './utility/echo.tool.js';

/** Every built-in tool. A new one is a file in these directories and a line here. */
export const builtinTools: readonly ToolDefinition[] = [
  checkAdrAlignmentTool,
  claudeConversationTool,
  copyPathTool,
  createDirectoryTool,
  createDocumentTool,
  deleteDocumentTool,
  deletePathTool,
  echoTool,
  editFileTool,
  enableToolsetTool,
  executeCommandTool,
  explainPermissionTool,
  fileInfoTool,
  getContentTool,
  getFeatureFlagTool,
  getProjectConfigTool,
  getProjectFlagTool,
  getToolStatsTool,
  listDirectoryTool,
  listFeatureFlagsTool,
  listProjectFlagsTool,
  listProcessesTool,
  movePathTool,
  processInputTool,
  processOutputTool,
  readFileTool,
  readFilesTool,
  searchArchitectureTool,
  searchContentTool,
  searchFilesTool,
  setFeatureFlagTool,
  setProjectFlagTool,
  stopProcessTool,
  systemInfoTool,
  updateDocumentTool,
  validateAgainstPatternTool,
  writeFileTool,
];
