/** Texts of the camera, of photo files, and of photos that could not be read. */
import { pluralText } from '../../../format.ts'

export const cameraReturnedNoImageClose =
  'The camera returned no image. Close it and choose a photo.'
export const fillTheFrameWithOneCard = 'Fill the frame with one card'
export const close = 'Close'
export const takePhoto = 'Take photo'
export const cameraPreview = 'Camera preview'
export const cameraWasInterruptedItGoes =
  'The camera was interrupted. It goes on as soon as it is free.'
export const startingTheCamera = 'Starting the camera. Your browser may ask for permission.'
export const cameraCouldNotStartAnother =
  'The camera could not start. Another program may be using it. Choose a photo instead.'
export const cameraIsBlocked =
  'Camera access is blocked. Allow it in your browser settings, or choose a photo.'
export const noCameraFoundChooseAPhoto = 'No camera found. Choose a photo instead.'
export const sizeHint8 = 'Choose one of at most 8 MB; 2,000 pixels per side are enough.'
export const sizeHint16 = 'Choose one of at most 16 MB.'
export const tryAgain = 'Try again'
export const noScansLeft = 'No scans left'
export const scanPacksNeverExpire =
  'Scan packs never expire. Your photo stays here until you close this page.'
export const seeScanPacks = 'See scan packs'
export const scanWasRefunded = 'Your scan was refunded.'
export const photoCouldNotBeRead = 'The photo could not be read'
export const invalidPhoto = 'Invalid photo'
export const freeScans = '25 free scans'
export const scansLeft = (left: number) =>
  `${pluralText(left, { one: '# scan', other: '# scans' })} left`
