@_exported import ChemopenBytes
@_exported import ChemopenFormats
@_exported import ChemopenModel
