/** Imported by tests that start hosts: their modules are compiled once, not by each process. */
import { enableCompileCache } from 'node:module';

enableCompileCache();
