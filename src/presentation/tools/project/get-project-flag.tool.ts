// How a tool is written: ../README.md
import { getFlagTool } from './flag-tools.js';

export const getProjectFlagTool = getFlagTool('project', {
  name: 'get_project_flag',
  summary: 'Read a flag as it holds in this project.',
  description: 'The value in force here and why: the one the project sets, else the global one, else none.',
  concise: 'Read a flag as it holds in this project; the global value is the default.',
  reasons: ['PROJECT', 'GLOBAL', 'ABSENT'],
  meaning: 'PROJECT: the project sets it. GLOBAL: the project does not, a global flag does. ABSENT: neither.',
});
