import { planted as other } from '../mounts/part.js';

export const planted = other;
