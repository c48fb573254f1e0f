// The tokens of what is faked here, so that a test needs one import.
export { AuditLog } from '../application/ports/audit/audit-log.js';
export { FlagStore } from '../application/ports/flag/flag-store.js';
export { LanguageModel } from '../application/ports/model/language-model.js';
export { PolicySource } from '../application/ports/permission/policy-source.js';
export { Clock } from '../application/ports/system/clock.js';
export { IdSource } from '../application/ports/system/id-source.js';
export { Logger } from '../application/ports/system/logger.js';
export { type CallToolOptions, callTool } from './call-tool.js';
export { InMemoryFlagStore } from './in-memory-flag-store.js';
export { ManualClock } from './manual-clock.js';
export { OpenPolicy } from './open-policy.js';
export { RecordingAuditLog } from './recording-audit-log.js';
export { type LogRecord, RecordingLogger } from './recording-logger.js';
export { ScriptedLanguageModel } from './scripted-language-model.js';
export { SequentialIds } from './sequential-ids.js';
