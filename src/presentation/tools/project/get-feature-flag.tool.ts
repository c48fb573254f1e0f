// How a tool is written: ../README.md
import { getFlagTool } from './flag-tools.js';

export const getFeatureFlagTool = getFlagTool('global', {
  name: 'get_feature_flag',
  summary: 'Read a flag that holds for all projects.',
  description: 'The global value and nothing else: what a project sets for itself is not looked at.',
  concise: 'Read a global flag, whatever projects set.',
  reasons: ['GLOBAL', 'ABSENT'],
  meaning: 'GLOBAL: it is set. ABSENT: it is not; what projects set does not count.',
});
