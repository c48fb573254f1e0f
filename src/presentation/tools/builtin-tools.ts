import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import { getToolStatsTool } from './meta/get-tool-stats.tool.js';
import { executeCommandTool } from './system/execute-command.tool.js';
import { systemInfoTool } from './system/system-info.tool.js';
import { echoTool } from './utility/echo.tool.js';

/** Every built-in tool. A new one is a file beside these and a line here. */
export const builtinTools: readonly ToolDefinition[] = [
  echoTool,
  executeCommandTool,
  systemInfoTool,
  getToolStatsTool,
];
