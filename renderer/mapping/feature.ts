import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';
import { mappingCommands } from './commands.ts';

const MappingDialog = lazily(() => import('./MappingDialog.tsx').then((file) => file.MappingDialog));

export const mappingFeature: Feature = { commands: mappingCommands, dialogs: { mapping: MappingDialog } };
