import type { Feature } from '../state/feature.ts';
import { mappingCommands } from './commands.ts';
import { MappingDialog } from './MappingDialog.tsx';

export const mappingFeature: Feature = { commands: mappingCommands, dialogs: { mapping: MappingDialog } };
