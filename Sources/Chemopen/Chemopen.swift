@_exported import ChemopenBytes
@_exported import ChemopenChemistry
@_exported import ChemopenDepict
@_exported import ChemopenDesktop
@_exported import ChemopenFormats
@_exported import ChemopenModel
