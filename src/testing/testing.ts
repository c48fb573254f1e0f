export { InMemoryFlagStore } from './in-memory-flag-store.js';
export { RecordingLogger } from './recording-logger.js';
export { ScriptedLanguageModel } from './scripted-language-model.js';
