export { CallPipeline } from '../../../../../../src/application/call/pipeline/call-pipeline.js';
