public import FuzzTargets

/// The kinds of untrusted input that the service reads.
public enum HostFuzzing {
  /// All fuzz targets.
  public static let targets = [
    FuzzTarget(NativeFramesBody.self), FuzzTarget(PackageBody.self),
    FuzzTarget(UpdateListBody.self), FuzzTarget(UpdateManifestBody.self),
    FuzzTarget(GalleryCatalogueBody.self), FuzzTarget(PictureBody.self),
    FuzzTarget(ChangeFileBody.self), FuzzTarget(NoteArchiveBody.self), FuzzTarget(FeedBody.self),
    FuzzTarget(PageHeadBody.self), FuzzTarget(SubscriptionsBody.self), FuzzTarget(FormBody.self),
    FuzzTarget(LanguagesBody.self), FuzzTarget(ExceptionBody.self),
  ]
}
