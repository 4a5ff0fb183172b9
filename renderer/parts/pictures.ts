import { lazily } from '../ui/lazily.tsx';

/** Loaded when used: to find an image in a message takes the readers of all formats of messages. */
export const MessageImage = lazily(() => import('./MessageImage.tsx').then((file) => file.MessageImage));
