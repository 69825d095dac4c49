// MatrixMixerKit
