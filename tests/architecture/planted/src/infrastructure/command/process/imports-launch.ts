import { planted as other } from '../launch/part.js';

export const planted = other;
