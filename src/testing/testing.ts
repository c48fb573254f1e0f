export { type CallToolOptions, callTool } from './call-tool.js';
export { InMemoryFlagStore } from './in-memory-flag-store.js';
export { ManualClock } from './manual-clock.js';
export { OpenPolicy } from './open-policy.js';
export { RecordingAuditLog } from './recording-audit-log.js';
export { type LogRecord, RecordingLogger } from './recording-logger.js';
export { ScriptedLanguageModel } from './scripted-language-model.js';
export { SequentialIds } from './sequential-ids.js';
